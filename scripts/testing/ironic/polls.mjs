// Polls nodes until they are as a test expects.
import { setTimeout as pause } from "node:timers/promises";

export const lookEveryMs = 200;

/** @param {import("./client.mjs").Client} client @param {string} node @param {string} state @param {number} [seconds] */
export async function reaches(client, node, state, seconds = 60) {
  const until = Date.now() + seconds * 1_000;
  for (;;) {
    const shown = await client.json([
      "node",
      "show",
      node,
      "--fields",
      "provision_state",
      "last_error",
      "maintenance",
      "target_provision_state",
    ]);
    if (shown.provision_state === state) return shown;
    if (Date.now() > until)
      throw new Error(`${node} is ${shown.provision_state} and not ${state}: ${shown.last_error}`);
    await pause(lookEveryMs);
  }
}

/**
 * Polls a node until its output is as wanted.
 * @param {import("./client.mjs").Client} client @param {readonly string[]} command @param {Record<string, unknown>} wanted @param {number} [seconds]
 */
export async function shows(client, command, wanted, seconds = 60) {
  const until = Date.now() + seconds * 1_000;
  for (;;) {
    const shown = await client.json(command);
    const differs = Object.entries(wanted).filter(([key, value]) => shown[key] !== value);
    if (differs.length === 0) return;
    if (Date.now() > until) {
      const all = ["node", "list", "--fields", "uuid", "provision_state", "power_state", "last_error"];
      const about = (await client.json(all)).filter((/** @type {{ UUID: string }} */ row) =>
        command.includes(row.UUID),
      );
      throw new Error(
        `${command.join(" ")}: ${JSON.stringify(shown)} and not ${JSON.stringify(wanted)}; ${JSON.stringify(about)}`,
      );
    }
    await pause(lookEveryMs);
  }
}
