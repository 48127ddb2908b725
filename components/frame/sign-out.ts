// Signing out. What the page asks of the server meanwhile is refused, which is then no session that has ended.
import { signOut } from "next-auth/react";
import { routes } from "@/server/domain/console/routes";

/** Of the window, while a person signs out; its `detail` is false when that did not work. */
export const signingOut = "reclaim-signing-out";

const tell = (detail: boolean) => dispatchEvent(new CustomEvent(signingOut, { detail }));

/** Ends the session and opens the sign-in page. */
export async function leave(): Promise<void> {
  tell(true);
  try {
    await signOut({ callbackUrl: routes.signIn() });
  } catch (error) {
    tell(false);
    throw error;
  }
}
