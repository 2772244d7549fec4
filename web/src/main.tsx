import { render } from "preact";

import { App } from "./parts/app";
import { applyTheme, storedTheme } from "./parts/theme";
import { returned, restart, start } from "./state/actions";
import { listenToKeys } from "./state/keyboard";
import { current, update } from "./state/store";
import { preferredLanguage, setLanguage } from "./texts/texts";
import "./styles/page.css";

applyTheme(storedTheme());
const language = preferredLanguage();
await setLanguage(language);
update({ language });
const frame = document.getElementById("page");
if (frame) render(<App />, frame);
listenToKeys();
addEventListener("popstate", returned);
addEventListener("online", () => current().failure?.kind === "offline" && void restart());
await start();
