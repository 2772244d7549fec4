/** Light, dark, or as the system has it. */

import { useState } from "preact/hooks";

import { t } from "../texts/texts";
import { Icon } from "./icons";

const STORED = "dragoman.theme";
const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

export function storedTheme(): Theme {
  return THEMES.find((one) => one === localStorage.getItem(STORED)) ?? "auto";
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

export function ThemeSelect() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: string): void => {
    const wanted = THEMES.find((one) => one === value) ?? "auto";
    localStorage.setItem(STORED, wanted);
    applyTheme(wanted);
    setTheme(wanted);
  };
  return (
    <label class="select compact">
      <select aria-label={t("settings.theme")} value={theme} onChange={(event) => choose(event.currentTarget.value)}>
        {THEMES.map((one) => <option value={one}>{t(`theme.${one}`)}</option>)}
      </select>
      <Icon name="down" />
    </label>
  );
}
