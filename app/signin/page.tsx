// Sign-in with email and password; on a demo also as one of its people.
import type { Metadata } from "next";
import { headers } from "next/headers";
import { Alone } from "@/components/access/sign-in/alone";
import { SignInForm } from "@/components/access/sign-in/sign-in-form";
import { consoleServer } from "@/server/surfaces/console/console-port";
import { routes } from "@/server/domain/console/routes";

export const metadata: Metadata = { title: "Sign in" };

/** The page *Next*, unless a path of this console was asked for. After sign-in only a path of this console may be opened: no other site, no other scheme. */
function safePath(next: string | string[] | undefined): string {
  return typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : routes.next();
}

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[]; ended?: string }>;
}) {
  const { next, ended } = await searchParams;
  const demo = await consoleServer().demoPeople(await headers());
  return (
    <Alone title="Sign in">
      <SignInForm next={safePath(next)} sessionEnded={ended !== undefined} demo={demo} />
    </Alone>
  );
}
