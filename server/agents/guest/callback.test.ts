// Which addresses this server sends commands, and with them the token, to.
import { expect, it } from "vitest";
import { callbackRefusal } from "@/server/agents/guest/callback";

const networks = ["10.20.0.0/16", "fd00:20::/32"];

it.each([
  ["https://10.20.3.4:9999", "10.20.3.4"],
  ["https://10.20.3.4:9999/", "::ffff:10.20.3.4"],
  ["https://[fd00:20::9]:9999", "fd00:20:0:0::9"],
])("takes %s from %s", (url, from) => expect(callbackRefusal(url, from, networks)).toBeNull());

it.each([
  ["http://10.20.3.4:9999", "10.20.3.4", /must be https/],
  ["https://169.254.169.254", "169.254.169.254", /outside the site's provisioning networks/],
  ["https://10.20.3.5:9999", "10.20.3.4", /address that the heartbeat comes from/],
  ["https://127.0.0.1:5432", "10.20.3.4", /outside/],
  ["https://host-1.example:9999", "10.20.3.4", /IP address/],
  ["https://10.20.3.4:9999/v1/commands", "10.20.3.4", /a scheme, an address and a port/],
  ["https://10.20.3.4:9999/?a=b", "10.20.3.4", /a scheme, an address and a port/],
  ["https://u:p@10.20.3.4:9999", "10.20.3.4", /a scheme, an address and a port/],
  ["nonsense", "10.20.3.4", /not a URL/],
])("refuses %s from %s", (url, from, why) => expect(callbackRefusal(url, from, networks)).toMatch(why));
