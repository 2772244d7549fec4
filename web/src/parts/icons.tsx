/** Small drawings; all of them are decoration beside a text or a label. */

const PATHS = {
  search: "M10.5 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13Zm4.700-1.800L20 20",
  close: "M6 6l12 12M18 6 6 18",
  add: "M12 16V5m0 0L7.500 9.500M12 5l4.500 4.500M5 19h14",
  up: "m6 14 6-6 6 6",
  down: "m6 10 6 6 6-6",
  good: "M7 11v9H4v-9Zm0 0 4-7c1.800 0 2.600 1.200 2.200 3L12.500 10H19l-1.500 8.500c-.2.900-.9 1.500-1.800 1.500H7",
  bad: "M7 13V4H4v9Zm0 0 4 7c1.800 0 2.600-1.200 2.200-3l-.7-3H19l-1.500-8.500C17.300 4.600 16.600 4 15.700 4H7",
  compare: "M4 5h6v14H4ZM14 5h6v14h-6Z",
  file: "M7 3h7l4 4v14H7ZM14 3v4h4",
  link: "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1",
  arrow: "M5 12h13m-5-5 5 5-5 5",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" />
      <path class="near" d="M7 9.500h10a3.800 3.800 0 0 1 0 7.600h-4.500L9 20v-3.200" />
      <path class="far" d="M25 14.500a4 4 0 0 1-2 7.400v2.900l-3.500-2.900h-4" />
    </svg>
  );
}
