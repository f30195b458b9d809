import { MESSAGES } from "../contract/messages";
import { DomainError } from "./errors";

/**
 * What a stream reads, as long as it comes in time. Later: SERVICE_UNAVAILABLE with the reason `read-timeout`, upon which every
 * client subscribes again from where it is; what still comes then is dropped.
 */
export async function withReadTimeout<Read>(reading: Promise<Read>, timeoutMs: number): Promise<Read> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const expire = () =>
      reject(new DomainError("SERVICE_UNAVAILABLE", MESSAGES.general.readTimeout, { reason: "read-timeout" }));
    timer = setTimeout(expire, timeoutMs);
  });
  try {
    return await Promise.race([reading, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
