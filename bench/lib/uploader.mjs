// Uploads files as somebody's browser would, in a process of its own: what it does beside the measuring process is not measured.
import { createReadStream, statSync } from "node:fs";
import { request } from "node:http";
import { setPriority } from "node:os";
import { pipeline } from "node:stream";

// A client's processor is not the server's.
setPriority(10);

process.on("message", ({ id, url, cookie, path, cutAt, isHeld }) => {
  const headers = { cookie, "content-length": statSync(path).size };
  const done = (status) => process.send({ id, status });
  const call = request(`${url}/api/files?name=${id}.bin`, { method: "POST", headers, agent: false }, (answer) => {
    answer.resume().on("end", () => done(answer.statusCode));
  });
  call.once("error", () => done(0));
  const content = createReadStream(path, cutAt === null ? {} : { end: cutAt });
  if (cutAt === null) pipeline(content, call, () => {});
  else {
    content.pipe(call, { end: false });
    if (!isHeld) content.once("end", () => setTimeout(() => call.destroy(), 20));
  }
});
process.once("disconnect", () => process.exit());
