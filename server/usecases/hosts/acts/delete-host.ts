// Removes a host; it is recorded as not cleaned, and its debt stays.
import { defineHostIntent } from "@/server/usecases/hosts/acts/ask-of-host";

export const deleteHost = defineHostIntent("forceDelete", "host.delete");
