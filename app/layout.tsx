// The HTML document: language, theme from a cookie, styles, the clock.
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { parseTheme, systemThemeScript } from "@/components/frame/theme";
import { ClockProvider } from "@/components/ui/time/clock";
import { TipProvider } from "@/components/ui/tip";
import { StyleNonce } from "@/components/ui/style-nonce";
import "@/app/styles.css";

export const metadata: Metadata = {
  title: { default: "Reclaim", template: "%s · Reclaim" },
  description: "Takes bare-metal hosts back from tenants, cleans them, and proves that they are clean.",
  icons: { icon: "/icon.svg" },
  manifest: "/manifest.webmanifest",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

/** The time zone in the cookie, or UTC if it is unknown. */
function parseZone(cookie: string | undefined): string {
  if (cookie === undefined) return "UTC";
  try {
    return new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(cookie) }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

/** Every page is rendered per user and request; none is static. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const theme = parseTheme(jar.get("theme")?.value);
  const nonce = head.get("x-nonce") ?? undefined;
  return (
    <html lang="en" data-theme={theme === "system" ? "light" : theme} suppressHydrationWarning>
      <head>
        {theme === "system" ? (
          <script
            nonce={nonce}
            suppressHydrationWarning
            dangerouslySetInnerHTML={{ __html: systemThemeScript }}
          />
        ) : null}
      </head>
      <body>
        <StyleNonce />
        <noscript>
          <p className="without-script">
            This console needs JavaScript, which this browser does not run. The same is in the command{" "}
            <code>reclaim</code> and in the API at /api/openapi.json.
          </p>
        </noscript>
        <ClockProvider serverNowMs={Date.now()} timeZone={parseZone(jar.get("zone")?.value)}>
          <TipProvider>{children}</TipProvider>
        </ClockProvider>
      </body>
    </html>
  );
}
