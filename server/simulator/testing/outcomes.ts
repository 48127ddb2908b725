// Expected outcomes of a clean step of a BMC.
import { expect } from "vitest";

const ended = (kind: "done" | "failed", message: RegExp) => ({
  ok: true,
  value: { kind, message: expect.stringMatching(message) },
});

export const done = (message: RegExp) => ended("done", message);

export const failed = (message: RegExp) => ended("failed", message);

/** The BMC could not be reached, or refused. */
export const error = (kind: string, message: RegExp) => ({
  ok: false,
  error: { kind, message: expect.stringMatching(message) },
});
