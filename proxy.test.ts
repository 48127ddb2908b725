// Which addresses get the policy of pages, and what is in it.
import { unstable_doesMiddlewareMatch as doesMatch } from "next/experimental/testing/server";
import { NextRequest } from "next/server";
import { expect, it } from "vitest";
import { config, proxy } from "@/proxy";

const nextConfig = {};

it.each([
  "/",
  "/hosts",
  "/hosts/a.b",
  "/hosts/host.example.org?tab=x",
  "/instances/v1.2/receipt.html",
  "/icon.svg/x",
  "/apiary",
  "/signin",
  "/anything.js",
])("%s is a page", (url) => expect(doesMatch({ config, nextConfig, url })).toBe(true));

it.each(["/api/hosts.csv", "/_next/static/x.js", "/icon.svg", "/favicon.ico", "/manifest.webmanifest"])(
  "%s is none",
  (url) => expect(doesMatch({ config, nextConfig, url })).toBe(false),
);

it("a page that a browser fetches ahead is one, too", () =>
  expect(
    doesMatch({
      config,
      nextConfig,
      url: "/hosts",
      headers: { purpose: "prefetch", "next-router-prefetch": "1" },
    }),
  ).toBe(true));

it("runs no script without the nonce of its answer, and is in no frame", () => {
  const policies = [1, 2].map(
    () => proxy(new NextRequest("http://localhost/hosts/a.b")).headers.get("content-security-policy") ?? "",
  );
  for (const policy of policies)
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{20,}' 'strict-dynamic'.*frame-ancestors 'none'/);
  expect(new Set(policies).size).toBe(2);
});
