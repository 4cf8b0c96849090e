// Checks the Node version. CommonJS without modern syntax, so that it runs on versions too old for the server.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Cairn needs Node 24.7 or newer, this is ${process.versions.node}. Run \`npm ci\` first: it brings its own.`,
  )
  process.exit(1)
}
