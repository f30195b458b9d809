import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createOutgoing, OutgoingError, type OutgoingRequest } from "./outgoing";

const GET: OutgoingRequest = { method: "GET", timeoutMs: 10_000, maxBytes: 1_000 };
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A resolver that knows these names, and counts how often it was asked. */
function names(known: Record<string, string[][]>) {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (host: string) => {
      const answers = known[host] ?? [];
      const answer = answers[Math.min(asked.filter((one) => one === host).length, answers.length - 1)] ?? [];
      asked.push(host);
      return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  };
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof OutgoingError ? error.reason : error),
  );

describe("only public addresses are asked", () => {
  const inner = [
    "127.0.0.1",
    "127.8.9.1",
    "0.0.0.0",
    "10.0.0.8",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:0:127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001::1",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "100::1",
    "4000::1",
  ];

  test.each(inner)("%s is refused, as an address and as what a name leads to", async (address) => {
    const { resolve } = names({ "rebound.example": [[address]], "mixed.example": [["93.184.215.14", address]] });
    const outgoing = createOutgoing({ allowLoopback: false, resolve });
    const host = address.includes(":") ? `[${address}]` : address;
    for (const asked of [`http://${host}/`, "https://rebound.example/", "https://mixed.example/"]) {
      expect(await refusalOf(outgoing.check(asked))).toBe("refused");
      expect(await refusalOf(outgoing.send(asked, GET))).toBe("refused");
    }
  });

  test.each(["http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://①②⑦.⓪.⓪.①/"])(
    "%s is this machine, however it is spelt",
    async (address) => {
      expect(await refusalOf(createOutgoing({ allowLoopback: false }).check(address))).toBe("refused");
    },
  );

  test.each([
    "ftp://public.example/",
    "file:///etc/passwd",
    "https://user:secret@public.example/",
    "https://public.example:25/",
    "https://public.example:22/",
    "nonsense",
  ])("%s is no address of the web", async (address) => {
    const { resolve } = names({ "public.example": [["93.184.215.14"]] });
    expect(await refusalOf(createOutgoing({ allowLoopback: false, resolve }).check(address))).toBe("refused");
  });

  test("public addresses pass, over https alone where that is required", async () => {
    const { resolve } = names({ "public.example": [["93.184.215.14", "2606:4700::6810:84e5"]] });
    const outgoing = createOutgoing({ allowLoopback: false, resolve });
    await outgoing.check("http://public.example:8443/");
    await outgoing.check("https://public.example/", { requireHttps: true });
    expect(await refusalOf(outgoing.check("http://public.example/", { requireHttps: true }))).toBe("refused");
    expect(await refusalOf(outgoing.check("https://nowhere.example/"))).toBe("unknown-host");
  });

  test("allowed loopback opens nothing else", async () => {
    const outgoing = createOutgoing({ allowLoopback: true });
    await outgoing.check("http://127.0.0.1:1/", { requireHttps: true });
    await outgoing.check("http://[::1]:1/");
    for (const address of ["http://10.0.0.1/", "http://169.254.169.254/", "http://0.0.0.0/"]) {
      expect(await refusalOf(outgoing.check(address))).toBe("refused");
    }
  });
});

test("the connection goes to the address that was checked, whatever the name says a moment later", async () => {
  const hosts: (string | undefined)[] = [];
  const port = await serve((request, response) => {
    hosts.push(request.headers.host);
    response.end("here");
  });
  const { resolve, asked } = names({ "moving.example": [["127.0.0.1"], ["10.0.0.1"]] });
  const outgoing = createOutgoing({ allowLoopback: true, resolve });
  const { status, body } = await outgoing.send(`http://moving.example:${port}/`, GET);
  expect([status, body.toString()]).toEqual([200, "here"]);
  expect(asked).toEqual(["moving.example"]);
  expect(hosts).toEqual([`moving.example:${port}`]);
  expect(await refusalOf(outgoing.send(`http://moving.example:${port}/`, GET))).toBe("refused");
});

describe("redirects", () => {
  test("each one is checked like the first address", async () => {
    for (const location of [
      "http://169.254.169.254/latest/",
      "http://inner.example/",
      "file:///etc/passwd",
      "http://[",
    ]) {
      const port = await serve((_request, response) => response.writeHead(302, { location }).end());
      const { resolve } = names({ "inner.example": [["192.168.0.7"]] });
      const outgoing = createOutgoing({ allowLoopback: true, resolve });
      expect(await refusalOf(outgoing.send(`http://127.0.0.1:${port}/`, { ...GET, maxRedirects: 3 }))).toBe("refused");
    }
  });

  test("they are followed up to the limit, without the first address's headers", async () => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      seen.push([request.url, request.headers["x-secret"]]);
      if (request.url === "/end") response.end("arrived");
      else response.writeHead(301, { location: request.url === "/start" ? "/end" : request.url }).end();
    });
    const outgoing = createOutgoing({ allowLoopback: true });
    const request = { ...GET, headers: { "x-secret": "s" }, maxRedirects: 2 };
    const { body } = await outgoing.send(`http://127.0.0.1:${port}/start`, request);
    expect(body.toString()).toBe("arrived");
    expect(seen).toEqual([
      ["/start", "s"],
      ["/end", undefined],
    ]);
    expect(await refusalOf(outgoing.send(`http://127.0.0.1:${port}/for-ever`, request))).toBe("redirects");
  });

  test("a POST never follows one", async () => {
    const bodies: string[] = [];
    const port = await serve(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      bodies.push(body);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    const request = { ...GET, method: "POST", body: "{}", maxRedirects: 3 } as const;
    const answer = await createOutgoing({ allowLoopback: true }).send(`http://127.0.0.1:${port}/`, request);
    expect([answer.status, bodies]).toEqual([307, ["{}"]]);
  });
});

describe("an answer is bounded", () => {
  test("no more than so many bytes of it are read, and it is not unpacked", async () => {
    const port = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBeUndefined();
      const write = () => response.write("x".repeat(1_000), () => response.destroyed || setImmediate(write));
      write();
    });
    const outgoing = createOutgoing({ allowLoopback: true });
    const address = `http://127.0.0.1:${port}/`;
    expect((await outgoing.send(address, { ...GET, maxBytes: 1_500 })).body).toHaveLength(1_500);
    expect((await outgoing.send(address, { ...GET, maxBytes: 0 })).body).toHaveLength(0);
  });

  test("one that does not come, or never ends, ends when the time is up", async () => {
    const silent = await serve(() => undefined);
    const dripping = await serve((_request, response) => response.write("a"));
    const outgoing = createOutgoing({ allowLoopback: true });
    for (const port of [silent, dripping]) {
      expect(await refusalOf(outgoing.send(`http://127.0.0.1:${port}/`, { ...GET, timeoutMs: 50 }))).toBe("ended");
    }
  });

  test("a name that is never resolved ends too, as does everything when the caller stops", async () => {
    const outgoing = createOutgoing({ allowLoopback: true, resolve: () => new Promise(() => undefined) });
    expect(await refusalOf(outgoing.send("https://slow.example/", { ...GET, timeoutMs: 50 }))).toBe("ended");
    const signal = AbortSignal.abort();
    expect(await refusalOf(outgoing.send("https://slow.example/", { ...GET, signal }))).toBe("ended");
  });

  test("a closed port is unreachable", async () => {
    const port = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const outgoing = createOutgoing({ allowLoopback: true });
    expect(await refusalOf(outgoing.send(`http://127.0.0.1:${port}/`, GET))).toBe("unreachable");
  });
});
