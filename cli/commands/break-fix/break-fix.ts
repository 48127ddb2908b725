// The break-fix commands: what is wrong with machines, what is announced for them, and who is notified (docs/repair.md#tickets).
import type { Command } from "commander";
import { addCapacity } from "@/cli/commands/break-fix/capacity";
import { addNotices } from "@/cli/commands/break-fix/notices";
import { addTickets } from "@/cli/commands/break-fix/tickets";
import { addWebhooks } from "@/cli/commands/break-fix/webhooks";
import type { Surroundings } from "@/cli/surroundings";

export function addBreakFix(program: Command, surroundings: Surroundings): void {
  addTickets(program, surroundings);
  addNotices(program, surroundings);
  addCapacity(program, surroundings);
  addWebhooks(program, surroundings);
}
