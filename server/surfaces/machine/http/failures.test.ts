// Whether a thrown error is the caller's fault or ours.
import { expect, it } from "vitest";
import { z } from "zod";
import { problemOfError } from "@/server/surfaces/machine/http/failures";

it("what is stored and fits no schema is the server's, in plain words, and goes to the log", () => {
  const error = z.object({ serial: z.string() }).safeParse({ serial: 3 }).error;
  expect(problemOfError(error)).toEqual({
    problem: { code: "internal", detail: expect.stringMatching(/cannot read a stored record/) },
    expected: false,
  });
  expect(problemOfError(new TypeError("x"))).toEqual({ problem: { code: "internal" }, expected: false });
});
