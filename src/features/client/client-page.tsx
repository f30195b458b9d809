export function ClientPage() { return <h1>Projects</h1>; }
