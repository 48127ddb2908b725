// The output of a program that cannot start: the setting, what to do, and no stack trace.
import { describe, expect, it } from "vitest";
import { ConfigError } from "@/server/config";
import { WrongKeyError } from "@/server/db/database-state";
import { startError } from "@/server/start-errors";

const env = { DATABASE_URL: "postgresql://reclaim:hunter2@db.example:5433/reclaim", PORT: "3000" };
const withCode = (code: string, message = "it failed") => Object.assign(new Error(message), { code });

describe("startError", () => {
  it.each([
    ["ECONNREFUSED", /^DATABASE_URL: no PostgreSQL answers at db\.example:5433\/reclaim/, 1],
    ["28P01", /^DATABASE_URL: .*password/, 78],
    ["3D000", /^DATABASE_URL: .*npm run migrate/, 78],
    ["42P01", /^DATABASE_URL: .*npm run migrate/, 78],
    ["EADDRINUSE", /^PORT: 3000 is in use/, 1],
    ["EACCES", /^PORT: /, 78],
    ["EADDRNOTAVAIL", /^RECLAIM_LISTEN: /, 78],
  ])("%s names the setting and what to do", (code, message, exit) => {
    const said = startError(withCode(code), env);
    expect(said.message).toMatch(message);
    expect(said.message).not.toMatch(/hunter2|\n\s+at /);
    expect(said.code).toBe(exit);
  });

  it.each(["EADDRINUSE", "EACCES", "EADDRNOTAVAIL"])("%s names the listener that it is about", (code) => {
    const listen = { ...env, RECLAIM_MACHINE_LISTEN: "10.20.0.5:8080" };
    const at = (address: string, port: number) => Object.assign(withCode(code), { address, port });
    expect(startError(at("10.20.0.5", 8080), listen).message).toMatch(/^RECLAIM_MACHINE_LISTEN: /);
    expect(startError(at("0.0.0.0", 8080), listen).message).toMatch(/^(PORT|RECLAIM_LISTEN): /);
  });

  it("names settings that are missing, and the key", () => {
    expect(
      startError(new ConfigError([{ variable: "PORT", message: "must be a whole number" }]), env),
    ).toEqual({ message: "PORT: must be a whole number", code: 78 });
    expect(startError(new WrongKeyError("a".repeat(64), "b".repeat(64)), env)).toMatchObject({
      message: expect.stringMatching(/^RECLAIM_ENCRYPTION_KEY: is not the key/),
      code: 78,
    });
  });

  it("shows a stack trace only where it is asked for", () => {
    expect(startError(new Error("a bug"), env).message).toBe(
      "a bug (set RECLAIM_LOG_LEVEL=debug for the stack trace)",
    );
    expect(startError(new Error("a bug"), { ...env, RECLAIM_LOG_LEVEL: "debug" }).message).toMatch(
      /\n\s+at /,
    );
  });
});
