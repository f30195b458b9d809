// What `npm test` says while it runs: whole lines, as a CI's log keeps them. No colours, no moving cursor.

/** How often it says where each running step is. */
const EVERY_MS = 15_000;

/**
 * Follows the steps that run. `start(name)` says that a step begins and answers with what to do with its runner's messages
 * (the reporters beside this file) and with its end.
 */
export function followSteps({ say = console.log, everyMs = EVERY_MS, now = Date.now } = {}) {
  const running = new Map();
  let timer;
  const sayAll = () => {
    for (const [name, { startedAt, progress }] of running)
      say(`running ${seconds(now() - startedAt)}  ${name}${progress ? `: ${describe(progress)}` : ""}`);
  };

  return {
    start(name) {
      const step = { startedAt: now(), progress: null };
      running.set(name, step);
      timer ??= setInterval(sayAll, everyMs);
      say(`start              ${name}`);
      return {
        onMessage(message) {
          if (!isProgress(message)) return;
          step.progress = message;
          if (message.failedTest) say(`failing ${seconds(now() - step.startedAt)}  ${name}: ${message.failedTest}`);
        },
        end(outcome, result = "") {
          running.delete(name);
          if (running.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
          say(`${outcome.padEnd(7)} ${seconds(now() - step.startedAt)}  ${name}${result}`);
        },
      };
    },
  };
}

/** "120 of 268 done, 0 failed"; where only the number of files is known: "812 done, 0 failed; 60 of 131 files". */
function describe({ done, failed, total, files }) {
  const ofTotal = total === undefined ? "" : ` of ${total}`;
  const ofFiles = files === undefined ? "" : `; ${files.done} of ${files.total} files`;
  return `${done}${ofTotal} done, ${failed} failed${ofFiles}`;
}

function isProgress(message) {
  return typeof message === "object" && message !== null && typeof message.done === "number";
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
