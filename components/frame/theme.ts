// The theme: chosen in the top bar, kept in a cookie and rendered by the server, so that nothing flashes.

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

export const themeLabels = { light: "Light", dark: "Dark", system: "System" } as const satisfies Record<
  Theme,
  string
>;

/** The theme in the cookie; anything unknown counts as "system". */
export function parseTheme(cookie: string | undefined): Theme {
  return themes.find((theme) => theme === cookie) ?? "system";
}

/** Runs before the first paint if the theme follows the system. It is the console's only inline script and carries the page's nonce. */
export const systemThemeScript = `document.documentElement.dataset.theme=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"`;
