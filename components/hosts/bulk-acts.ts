// The acts that make sense on many hosts at once; words and consequences are the domain's.
import { hostActions } from "@/server/domain/hosts/host-actions";

const intents = ["retry", "restart", "manage", "provide"] as const;

export const bulkActs = intents.map((intent) => ({ intent, ...hostActions[intent] }));
export type BulkAct = (typeof bulkActs)[number];
