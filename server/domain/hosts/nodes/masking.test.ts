// Secrets in what clients store with a node are masked at any depth, and everything else is left unchanged.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mask, maskedInstanceInfo, maskedText, maskSecrets } from "@/server/domain/hosts/nodes/masking";

describe("maskSecrets", () => {
  it.each([
    [
      { password: "p", user: "u" },
      { password: mask, user: "u" },
    ],
    [{ ipmi_password: "p" }, { ipmi_password: mask }],
    [
      { nested: { adminPass: "p", list: [{ auth_token: "t" }] } },
      { nested: { adminPass: mask, list: [{ auth_token: mask }] } },
    ],
    [{ configdrive: { meta_data: {}, user_data: "#cloud-config" } }, { configdrive: mask }],
    [
      { password: null, secret: "" },
      { password: null, secret: "" },
    ],
    [{ image_url: "https://images/1" }, { image_url: "https://images/1" }],
  ])("%j", (value, expected) => {
    expect(maskSecrets(value)).toEqual(expected);
  });

  it("leaves no value of a key that names a secret, however deep", () => {
    const key = fc.constantFrom("password", "a_token", "SSLKey", "plain", "size");
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.constant("hidden"),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(key, tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    const open = (value: unknown): boolean =>
      typeof value === "object" &&
      value !== null &&
      (Array.isArray(value)
        ? value.some(open)
        : Object.entries(value).some(([name, inner]) =>
            /password|token|sslkey/i.test(name)
              ? inner !== mask && inner !== "" && inner !== null
              : open(inner),
          ));
    fc.assert(fc.property(tree, (value) => !open(maskSecrets(value))));
  });
});

describe("texts", () => {
  it("pass without a secret as they are, to the byte", () => {
    const text = '{"a": 1,  "b": [true]}';
    expect([maskedText(text), maskedInstanceInfo(text)]).toEqual([text, text]);
  });
  it("mask the image's address in instance_info alone", () => {
    expect(JSON.parse(maskedInstanceInfo('{"image_url": "https://signed", "image_checksum": "c"}'))).toEqual({
      image_url: mask,
      image_checksum: "c",
    });
    expect(maskedText('{"image_url": "https://x"}')).toBe('{"image_url": "https://x"}');
  });
});
