// Why a sign-in was not answered with "wrong password": names on the wire (`?error=`), and what the form says of each.

export const signInErrorWords = {
  RateLimited:
    "Too many failed attempts. Wait a quarter of an hour, then try again; the right password is refused until then, too.",
  Busy: "Too many sign-ins in progress. Your password was not checked. Try again in a few seconds.",
  NoDatabase:
    "The database cannot be reached, so nobody can sign in now. This is not about your password. Try again in a minute.",
  ServerFailed:
    "The server failed while it checked your password. Try again; if that does not help, the server's log says why.",
} as const;

export type SignInError = keyof typeof signInErrorWords;

export const isSignInError = (text: string): text is SignInError => Object.hasOwn(signInErrorWords, text);
