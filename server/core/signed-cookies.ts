import { createHmac, timingSafeEqual } from "node:crypto";

/** Cookies as the auth library signs them: the value, a dot and the base64 of its HMAC-SHA-256. */
export interface SignedCookies {
  /** The value of a cookie that the present secret or a former one signed; null without such a cookie. */
  read(headers: Headers, name: string): string | null;
  /** The headers with what a former secret signed signed by the present one: the library accepts no other. */
  renew(headers: Headers): Headers;
}

/** The present secret first, then former ones. */
export function createSignedCookies([present, ...former]: readonly [string, ...string[]]): SignedCookies {
  return {
    read(headers, name) {
      const pair = pairsOf(headers).find((one) => one.startsWith(`${name}=`));
      const cookie = pair === undefined ? null : parse(pair);
      return cookie && [present, ...former].some((secret) => isSigned(cookie, secret)) ? cookie.value : null;
    },
    renew(headers) {
      if (former.length === 0 || !headers.has("cookie")) return headers;
      const pairs = pairsOf(headers).map((pair) => {
        const cookie = parse(pair);
        if (!cookie || !former.some((secret) => isSigned(cookie, secret))) return pair;
        return `${cookie.name}=${encodeURIComponent(`${cookie.value}.${sign(cookie.value, present).toString("base64")}`)}`;
      });
      const renewed = new Headers(headers);
      renewed.set("cookie", pairs.join("; "));
      return renewed;
    },
  };
}

interface Cookie {
  name: string;
  value: string;
  signature: Buffer;
}

function pairsOf(headers: Headers): string[] {
  return headers.get("cookie")?.split(/;\s*/) ?? [];
}

/** The parts of `name=value.signature`; null for a cookie that is not signed. */
function parse(pair: string): Cookie | null {
  const equals = pair.indexOf("=");
  const decoded = decode(pair.slice(equals + 1));
  const dot = decoded?.lastIndexOf(".") ?? -1;
  if (equals < 1 || decoded === null || dot < 1) return null;
  const signature = Buffer.from(decoded.slice(dot + 1), "base64");
  return { name: pair.slice(0, equals), value: decoded.slice(0, dot), signature };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function isSigned({ value, signature }: Cookie, secret: string): boolean {
  const expected = sign(value, secret);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

function sign(value: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(value).digest();
}
