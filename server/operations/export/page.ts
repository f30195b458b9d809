interface Contents {
  /** ISO. */
  takenAt: string;
  tables: readonly { name: string; rows: number; about: string }[];
  files: number;
}

/** `index.html` of an export: what is in it, and how to read it. Holds no text that somebody has written. */
export function pageOf({ takenAt, tables, files }: Contents): string {
  const rows = tables.map(
    ({ name, rows: count, about }) =>
      `<tr><td><a href="tables/${name}.csv">${name}.csv</a></td><td>${about}</td><td>${count.toLocaleString("en-GB")}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sangam export</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid; vertical-align: top; }
th:last-child, td:last-child { text-align: right; padding-right: 0; }
</style>
</head>
<body>
<h1>Sangam export</h1>
<p>Everything that was in Sangam on ${takenAt.slice(0, 16).replace("T", " ")} UTC, in formats that any program reads. Passwords, keys and other secrets are not in it.</p>
<h2>To read by a program</h2>
<p><a href="sangam.json">sangam.json</a> holds people, projects with their tasks and comments, conversations with their messages, and what the uploaded files are and hang on, by their ids. Another Sangam takes it, or this whole file: <code>npm run import -- FILE.zip</code>.</p>
<h2>To read in a spreadsheet</h2>
<p>UTF-8, commas between the columns, names of the columns in the first line, times in UTC. What ends with _id or _by refers to the column id of another table.</p>
<table>
<thead><tr><th>File</th><th>What it holds</th><th>Rows</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
<h2>Files</h2>
<p>${files === 0 ? "There were no uploaded files." : `${files.toLocaleString("en-GB")} uploaded files are in the folder <a href="files/">files</a>.`}</p>
</body>
</html>
`;
}
