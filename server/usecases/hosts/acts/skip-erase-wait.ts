// A person takes responsibility that no erase is running any more, if no agent can be asked (docs/adr/0022-durations-travel.md).
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const skipEraseWait = defineHostIntent("skipEraseWait", "host.skipEraseWait");
