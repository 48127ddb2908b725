// Sign-in failures other than a wrong password: their names on the wire (`?error=`), and the message on the form.

export const signInErrorMessages = {
  RateLimited:
    "Too many failed attempts. Wait 15 minutes, then try again. Until then, even the right password is refused.",
  Busy: "Too many sign-ins in progress. Your password was not checked. Try again in a few seconds.",
  NoDatabase:
    "The database cannot be reached, so nobody can sign in now. Your password is not the problem. Try again in a minute.",
  NoDesk:
    "The demo did not answer, so you are not signed in. Try again in a moment, or sign in with a login of demo-logins.json.",
  ServerFailed:
    "The server failed while it checked your password. Try again; if it fails again, check the server's log.",
} as const;

export type SignInError = keyof typeof signInErrorMessages;

export const isSignInError = (text: string): text is SignInError => Object.hasOwn(signInErrorMessages, text);
