// Plain old JavaScript on purpose: it must run, and explain itself, on a Node too old for the rest.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Cairn needs Node 24.7 or newer, this is ${process.versions.node}. Run \`npm ci\` first: it brings its own.`,
  )
  process.exit(1)
}
