// Addresses of subscriptions and images keep no token and no password.
import { expect, it } from "vitest";
import { eventPlace, imagePlace } from "@/server/domain/hardware/shown-address";

it.each([
  ["https://user:secret@10.0.0.9:8443/hook/secret?key=secret#secret", "https://10.0.0.9:8443"],
  ["https://events.example", "https://events.example"],
  ["mailto:secret@example.com", "mailto:"],
  ["secret", "(not an address)"],
  [null, "(no destination)"],
  [undefined, "(no destination)"],
])("a subscription to %s is shown as %s", (destination, shown) => {
  expect(eventPlace(destination)).toBe(shown);
});

it.each([
  ["http://user:secret@images.example/a.iso?key=secret#secret", "http://images.example/a.iso"],
  ["//user:secret@server/share/a.iso", "server/share/a.iso"],
  ["a.iso?sig=secret", "a.iso"],
  ["nfs://10.0.0.1/a.iso", "nfs://10.0.0.1/a.iso"],
])("the image %s is shown as %s", (image, shown) => {
  expect(imagePlace(image)).toBe(shown);
});
