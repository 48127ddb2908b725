// The theme: chosen in the top bar, kept in a cookie, written by the server into the page, so that nothing flashes.

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

export const themeWords = { light: "Light", dark: "Dark", system: "System" } as const satisfies Record<
  Theme,
  string
>;

/** The cookie's theme; anything else counts as "system". */
export function parseTheme(cookie: string | undefined): Theme {
  return themes.find((theme) => theme === cookie) ?? "system";
}

/** Runs before the first paint when the theme follows the system: the one inline script of the console, with the page's nonce. */
export const systemThemeScript = `document.documentElement.dataset.theme=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"`;
