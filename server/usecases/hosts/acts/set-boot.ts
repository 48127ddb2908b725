// Sets how a host boots, at a person's request; the controller applies it and reads it back (docs/adr/0071-boot-settings-by-a-person.md).
import { host as contract } from "@/server/contract/hosts/host";
import { notOffered } from "@/server/domain/hosts/boot-settings";
import { defineTellingAct } from "@/server/usecases/define-act";
import { ask, findHost } from "@/server/usecases/hosts/acts/request-of-host";
import { readBootSettings } from "@/server/usecases/hosts/one/read-boot-settings";
import { refused, sentence } from "@/server/usecases/problem";

export const setBoot = defineTellingAct({
  ...contract.setBoot,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const found = await findHost(tx, hostId);
    return found === null
      ? null
      : { ...found, value: { host: found.value, settings: await readBootSettings(tx, hostId) } };
  },
  run: ({ by }, { host, settings }, { hostId: _, stateVersion, ...change }) => {
    const missing = notOffered(change, settings);
    if (missing !== null) return refused("invalid", sentence(missing));
    return ask(host, {
      signal: { kind: "setBoot", payload: { by, change } },
      stateVersion,
      // A second request may be about a different part.
      repeats: true,
      facts: change,
    });
  },
});
