"use client";
// The theme switch: a menu in the top bar; on narrow screens, a part of the user menu.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { themes, themeLabels, type Theme } from "@/components/frame/theme";

const choices = themes.map((value) => ({ value, words: themeLabels[value] }));
const ThemeContext = createContext<{ theme: Theme; choose: (theme: Theme) => void } | undefined>(undefined);

/** Applies the theme to the page, and follows the system's preference while it is "system". */
function useAppliedTheme(theme: Theme) {
  useEffect(() => {
    const root = document.documentElement;
    if (theme !== "system") {
      root.dataset.theme = theme;
      return;
    }
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => {
      root.dataset.theme = dark.matches ? "dark" : "light";
    };
    follow();
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, [theme]);
}

/** Prints in the light theme, whatever is on the screen. */
function useLightPrint() {
  useEffect(() => {
    const root = document.documentElement;
    let shown: string | undefined;
    const before = () => {
      shown = root.dataset.theme;
      root.dataset.theme = "light";
    };
    const after = () => {
      if (shown !== undefined) root.dataset.theme = shown;
    };
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
}

/** Holds the theme. A choice is kept in a cookie, so that the server renders the next page with it. */
export function ThemeProvider({ initial, children }: { initial: Theme; children: ReactNode }) {
  const [theme, setTheme] = useState(initial);
  useAppliedTheme(theme);
  useLightPrint();
  const value = useMemo(() => {
    const choose = (next: Theme) => {
      document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=lax`;
      setTheme(next);
    };
    return { theme, choose };
  }, [theme]);
  return <ThemeContext value={value}>{children}</ThemeContext>;
}

/** The current theme, and a function to choose another. */
export function useTheme() {
  const theme = useContext(ThemeContext);
  if (theme === undefined) throw new Error("no ThemeProvider above this component");
  return theme;
}

/** Light, dark or system. */
export function ThemeChoice() {
  const { theme, choose } = useTheme();
  return <MenuChoice label="Theme" value={theme} choices={choices} onChoose={choose} />;
}

export function ThemeMenu() {
  const { theme } = useTheme();
  return (
    <Menu
      trigger={
        <button type="button" className="menu theme">
          {theme === "system" ? "Auto" : themeLabels[theme]}
        </button>
      }
    >
      <ThemeChoice />
    </Menu>
  );
}
