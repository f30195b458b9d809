import { createServer } from "node:http";
import type Provider from "oidc-provider";
import type { Configuration } from "oidc-provider";

/** An OpenID provider on loopback that replaces Google. Its login page accepts any name. */
export interface OpenIdProvider {
  issuer: string;
  /** Settings of a server that trusts it. */
  settings: { GOOGLE_CLIENT_ID: string; GOOGLE_CLIENT_SECRET: string; GOOGLE_ISSUER: string };
  /** Sets the only address that it redirects to. */
  allowReturnTo(serverUrl: string): void;
  close(): Promise<void>;
}

const CLIENT = { GOOGLE_CLIENT_ID: "sangam", GOOGLE_CLIENT_SECRET: "a-secret-of-the-tests" };

/**
 * Names are `local part of the e-mail`; one that begins with "unverified" has an e-mail that the provider has not checked.
 */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  // Large, and every worker of the browser tests reads this file.
  const { default: Provider } = await import("oidc-provider");
  let handle: ReturnType<Provider["callback"]> | null = null;
  const server = createServer((request, response) => {
    if (handle) void handle(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const provide = (redirectUris: string[]) => {
    const provider = new Provider(issuer, configuration(redirectUris));
    // Its pages, and its warnings about them, do not matter here.
    provider.on("server_error", (_context, error) => process.stderr.write(`openid provider: ${error.message}\n`));
    handle = provider.callback();
  };
  provide(["http://127.0.0.1:1/"]);
  return {
    issuer,
    settings: { ...CLIENT, GOOGLE_ISSUER: issuer },
    allowReturnTo: (serverUrl) => provide([`${serverUrl}/api/auth/callback/google`]),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function configuration(redirectUris: string[]): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.GOOGLE_CLIENT_ID,
        client_secret: CLIENT.GOOGLE_CLIENT_SECRET,
        redirect_uris: redirectUris,
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["a-key-of-the-tests"] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `${id} Google`,
        email: `${id}@sangam.example`,
        email_verified: !id.startsWith("unverified"),
      }),
    }),
  };
}
