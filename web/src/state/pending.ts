/** Search while typing: when to ask, and with which language. */

export const TYPING_PAUSE = 120; // ms without a key before a search is sent
export const LONG_PAUSE = 700; // ms without a key after which the language is detected again
export const SLOW = 1500; // ms after which the page says that it is still searching
export const CERTAIN_WORDS = 3; // from here on the detection has enough to go by

export const words = (text: string): number => text.trim().split(/\s+/).filter(Boolean).length;

/** The detected language, held while somebody types, so that it does not change at every letter. */
export class HeldLanguage {
  private code = "";
  private words = 0;

  /** The language to ask with: empty where the service should detect it. */
  forQuery(text: string, paused: boolean): string {
    const count = words(text);
    const grown = count >= CERTAIN_WORDS && count !== this.words;
    return paused || grown ? "" : this.code;
  }

  hold(code: string, text: string): void {
    this.code = code;
    this.words = words(text);
  }

  forget(): void {
    this.hold("", "");
  }
}
