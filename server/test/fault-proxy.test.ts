import { expect, test } from "vitest";
import { createFrames } from "./fault-proxy";

test("messages of PostgreSQL's protocol come out whole, however their bytes arrive", () => {
  const frame = (type: string, body: string) => {
    const header = Buffer.alloc(5);
    header.write(type);
    header.writeInt32BE(4 + body.length, 1);
    return Buffer.concat([header, Buffer.from(body)]);
  };
  const bytes = Buffer.concat([frame("A", "a knock"), frame("Z", ""), frame("D", "AAAA"), frame("A", "another")]);
  for (const size of [1, 3, 7, bytes.length]) {
    const received: string[] = [];
    const take = createFrames((type, whole) => received.push(`${String.fromCharCode(type)}${whole.subarray(5)}`));
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
    expect(received).toEqual(["Aa knock", "Z", "DAAAA", "Aanother"]);
  }
});
