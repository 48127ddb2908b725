"use client";
// The bar above every page: search, live status, theme, user.
import { LiveStatusLine } from "@/components/frame/live-status";
import { useMe } from "@/components/frame/me";
import { Palette } from "@/components/frame/palette/palette";
import { PersonMenu } from "@/components/frame/person-menu";
import { ThemeMenu } from "@/components/frame/theme-menu";

/** Sticks to the top; has a button for the rail while that is hidden. */
export function TopBar({ onShowRail }: { onShowRail: (() => void) | undefined }) {
  const me = useMe();
  return (
    <header className="top">
      {onShowRail === undefined ? null : (
        <button type="button" className="btn plain pages" onClick={onShowRail}>
          Pages
        </button>
      )}
      <Palette shown={me.pages} />
      <div className="end">
        <LiveStatusLine />
        <ThemeMenu />
        <PersonMenu name={me.name} email={me.email} roleWords={me.roleWords} />
      </div>
    </header>
  );
}
