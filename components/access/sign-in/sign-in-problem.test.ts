// "Wrong password" is said only if a password was actually compared.
import { expect, it } from "vitest";
import { signInProblem } from "@/components/access/sign-in/sign-in-problem";

it.each([
  ["CredentialsSignin", 401, /Wrong email or password/],
  ["NoDatabase", 401, /database cannot be reached/],
  ["NoDatabase", 503, /database cannot be reached/],
  ["Busy", 503, /in progress/],
  ["NoDesk", 401, /demo did not answer/],
  ["RateLimited", 401, /15 minutes/],
  ["", 429, /15 minutes/],
  ["", 502, /did not answer/],
  ["ServerFailed", 401, /server failed/],
  ["Invalid `prisma.person.findUnique()` invocation", 401, /server failed/],
] as const)("%s with status %i", (error, status, words) => {
  expect(signInProblem(error, status)).toMatch(words);
});
