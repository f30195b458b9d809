import { isIP } from "node:net";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import { DAY_MS } from "../../contract/days";
import { type DiskSpace, MIN_FREE_PERCENT } from "../../core/disk";
import { findBusFault } from "../../realtime/bus";
import { describeSilence, describeTrouble, inOneLine } from "../../system/warnings";
import { type Finding, toDo, well } from "./finding";

const CERTIFICATE_DAYS = 14;
const TLS_TIMEOUT_MS = 5_000;
/** The room on each disk. */
export function examineDisks(disks: readonly DiskSpace[]): Finding[] {
  return disks.map(({ path, freeBytes, freePercent }) => {
    const details = { path, freeBytes, freePercent: Math.floor(freePercent) };
    if (freePercent < MIN_FREE_PERCENT) return toDo("disk", inOneLine(describeTrouble({ id: "disk", details })));
    return well(
      "disk",
      `${details.freePercent} % of the disk of ${path} is free (${(freeBytes / 1e9).toFixed(1)} GB).`,
    );
  });
}

/** A round trip over the bus, by which servers notify each other in place of PostgreSQL. */
export async function examineBus(pubsubUrl: string): Promise<Finding> {
  const fault = await findBusFault(pubsubUrl);
  if (fault === null) return well("bus", "Notifications arrive over Redis or Valkey; LISTEN is not needed.");
  return toDo("bus", `${inOneLine(describeSilence({ pubsubUrl }))} (${fault})`);
}

/** The certificate under which people reach the server; nothing for an address without one. */
export async function examineCertificate(publicUrl: string): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== "https:") return [];
  const seen = await readCertificate({ host: hostname, port: Number(port || 443) });
  if ("failure" in seen) {
    return [
      toDo("certificate", `${publicUrl} cannot be reached from here (${seen.failure}): check the proxy and the name.`),
    ];
  }
  const days = Math.floor((Date.parse(seen.certificate.valid_to) - Date.now()) / DAY_MS);
  if (days < 0) return [toDo("certificate", `The certificate of ${publicUrl} has expired: renew it.`)];
  if (seen.distrust !== null) {
    return [
      toDo("certificate", `Browsers do not trust the certificate of ${publicUrl} (${seen.distrust}): replace it.`),
    ];
  }
  if (days < CERTIFICATE_DAYS) {
    return [
      toDo(
        "certificate",
        `The certificate of ${publicUrl} ends in ${days} days: renew it, and find out why that did not happen by itself.`,
      ),
    ];
  }
  return [well("certificate", `The certificate of ${publicUrl} holds for ${days} days.`)];
}

type Seen = { failure: string } | { certificate: PeerCertificate; distrust: string | null };

function readCertificate({ host, port }: { host: string; port: number }): Promise<Seen> {
  return new Promise((resolve) => {
    const end = (seen: Seen) => {
      resolve(seen);
      socket.destroy();
    };
    const socket: TLSSocket = connectTls(
      { host, port, servername: isIP(host) === 0 ? host : "", rejectUnauthorized: false },
      () =>
        end({
          certificate: socket.getPeerCertificate(),
          distrust: socket.authorized ? null : String(socket.authorizationError),
        }),
    );
    socket.setTimeout(TLS_TIMEOUT_MS, () => end({ failure: "no answer" }));
    socket.on("error", (error) => end({ failure: "code" in error ? String(error.code) : error.name }));
  });
}
