// Next's settings. Headers that never change are here; the content security policy, which has a nonce, is in proxy.ts.

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // To write what a next build could use takes a third of a build; scripts/build.mjs says whether there will be one.
  experimental: { turbopackFileSystemCacheForBuild: process.env.RECLAIM_KEEP_BUILD === "1" },
  // Types are checked once, by the lint step, for the whole repository.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "pg",
    "@prisma/adapter-pg",
    "@prisma/client",
    "pino",
    "pdfkit",
    "@simplewebauthn/server",
  ],
  // Browsers ask for it by that name when they look at a page before its icon is named, and complain when it is not there.
  rewrites: () => Promise.resolve([{ source: "/favicon.ico", destination: "/icon.svg" }]),
  headers: () =>
    Promise.resolve([
      {
        source: "/:path*",
        headers: [
          { key: "X-Content-Type-Options", value: "nosniff" },
          { key: "Referrer-Policy", value: "same-origin" },
          {
            key: "Permissions-Policy",
            value:
              "camera=(), microphone=(), geolocation=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
          },
          { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
        ],
      },
    ]),
};

export default config;
