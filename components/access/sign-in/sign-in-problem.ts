// The error message of the sign-in form.
import { isSignInError, signInErrorMessages } from "@/server/domain/access/sign-in-errors";

const wrong = "Wrong email or password. For security, we don't say which.";
const demoRefused =
  "This login does not work: its password was changed, the user is disabled, or the demo does not offer it here.";
export const noAnswer = "The server did not answer. Your password was not checked. Try again in a moment.";

/** Only a plain refusal means a wrong password. @param error from the response URL @param isDemo nobody typed a password */
export function signInProblem(error: string, status: number, isDemo = false): string {
  if (isSignInError(error)) return signInErrorMessages[error];
  if (status === 429) return signInErrorMessages.RateLimited;
  if (status >= 500) return noAnswer;
  return error === "CredentialsSignin" || error === ""
    ? isDemo
      ? demoRefused
      : wrong
    : signInErrorMessages.ServerFailed;
}
