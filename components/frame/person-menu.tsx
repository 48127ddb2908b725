"use client";
// The signed-in user and role, with links to the account and to sign out.
import { signOut } from "next-auth/react";
import { useDemoMenu } from "@/components/demo/demo-menu";
import { useMe } from "@/components/frame/me";
import { useGo } from "@/components/frame/unsaved";
import { ThemeChoice } from "@/components/frame/theme-menu";
import { Menu, MenuAct, MenuLabel, MenuRule } from "@/components/ui/menu";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .slice(0, 2)
    .join("");

interface PersonMenuProps {
  name: string;
  email: string;
  /** "operator", "tenant admin of Acme". */
  roleWords: string;
}

/** Signing out ends the session here and opens the sign-in page. */
export function PersonMenu({ name, email, roleWords }: PersonMenuProps) {
  const openDemo = useDemoMenu();
  const go = useGo();
  const { role } = useMe();
  return (
    <Menu
      trigger={
        <button type="button" className="menu who">
          <span className="full cut" aria-hidden="true">
            {name}, {roleWords}
          </span>
          <span className="short" aria-hidden="true">
            {initials(name)}
          </span>
          <span className="visually-hidden">
            {name}, {roleWords}, menu
          </span>
        </button>
      }
    >
      <MenuLabel>
        {name}, {roleWords}
        <br />
        {email}
      </MenuLabel>
      <div className="narrow-only">
        <MenuRule />
        <ThemeChoice />
      </div>
      <MenuRule />
      {openDemo === undefined ? null : <MenuAct onSelect={openDemo}>Demo menu</MenuAct>}
      <MenuAct onSelect={() => go(routes.account())}>Account</MenuAct>
      {/* Users who may read everybody's find them in the settings. */}
      {reachOf(role, "webhook.read") === "own" ? (
        <MenuAct onSelect={() => go(routes.settings.webhooks())}>Webhooks</MenuAct>
      ) : null}
      <MenuAct onSelect={() => void signOut({ callbackUrl: routes.signIn() })}>Sign out</MenuAct>
    </Menu>
  );
}
