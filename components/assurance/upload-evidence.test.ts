// Uploads of evidence files: what is refused before anything is sent, and what the user is told.
import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { uploadEvidence } from "@/components/assurance/upload-evidence";
import { problemOf } from "@/components/trpc/query-client";

const photo = new File(["x"], "drive.jpg", { type: "image/jpeg" });
const answers = vi.fn<typeof fetch>();

/** What the user reads. */
const told = async (): Promise<string> =>
  problemOf(await uploadEvidence(photo).catch((error: unknown) => error)).words;

function browser(isOnline: boolean, answer: () => Promise<Response>): void {
  onlineManager.setOnline(isOnline);
  vi.stubGlobal("fetch", answers.mockReset().mockImplementation(answer));
}

afterEach(() => {
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
});

it("offline, the file is not sent, and the user is told so", async () => {
  browser(false, () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await told()).toBe(
    "drive.jpg was not sent: you are offline. Send again when the connection is back.",
  );
  expect(answers).not.toHaveBeenCalled();
});

it("says that the upload failed when the connection breaks", async () => {
  browser(true, () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await told()).toBe(
    "drive.jpg: the upload failed. Check the connection and send again. If you have changed the file since, choose it again.",
  );
});

it("returns the digest that the server answers with", async () => {
  browser(true, () => Promise.resolve(Response.json({ sha256: "abc" }, { status: 201 })));
  expect(await uploadEvidence(photo)).toBe("abc");
});

it.each([
  [
    "a refusal",
    Response.json({ detail: "its content is not an image" }, { status: 422 }),
    "its content is not an image",
  ],
  [
    "no JSON",
    new Response("bad gateway", { status: 502 }),
    "the upload failed. Check the connection and send again. If you have changed the file since, choose it again.",
  ],
])("names the file: %s", async (_, response, words) => {
  browser(true, () => Promise.resolve(response));
  expect(await told()).toBe(`drive.jpg: ${words}`);
});
