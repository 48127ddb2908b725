// Amazon's published example of a signed request: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { signV4 } from "@/server/db/evidence/signature-v4";

it("signs method, path, host, time and body, with a key of the day", () => {
  const headers = signV4(
    {
      method: "GET",
      url: new URL("https://examplebucket.s3.amazonaws.com/?lifecycle="),
      bodySha256: createHash("sha256").update("").digest("hex"),
      at: new Date("2013-05-24T00:00:00.000Z"),
    },
    {
      region: "us-east-1",
      accessKey: "AKIAIOSFODNN7EXAMPLE",
      secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    },
  );
  expect(headers["authorization"]).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  );
});
