// Sends a file to be checked, and returns what was found.
import { z } from "zod";
import { ShownError } from "@/components/trpc/query-client";
import { isOffline } from "@/components/trpc/refuse-offline";
import { checkedFile, maxCheckedBytes } from "@/server/contract/assurance/proof";
import { routes } from "@/server/domain/console/routes";
import type { CheckedFile } from "@/server/surfaces/trpc/types";

const refusal = z.object({ detail: z.string() });
const failed = "The check did not run. Check the connection and try again.";

/** Throws ShownError. */
export async function checkFile(file: File): Promise<CheckedFile> {
  if (file.size > maxCheckedBytes)
    throw new ShownError("It is larger than 64 MiB. Check it with `reclaim verify`.");
  if (isOffline()) throw new ShownError("You are offline. Try again when the connection is back.");
  const response = await fetch(routes.files.proofCheck(), {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  const checked = checkedFile.safeParse(body);
  if (response?.ok === true && checked.success) return checked.data;
  const told = refusal.safeParse(body);
  throw new ShownError(told.success ? told.data.detail : failed);
}
