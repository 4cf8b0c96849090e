// An installation that warns: of deprecated packages, or of install scripts that were not reviewed. Or one that
// leaves out packages of the build without a word.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INSTALLING_NODE, adviceOnNode } from '../server/configuration/installing-node.ts'
import project from '../package.json' with { type: 'json' }

/** An entry of the lock file, as npm writes it. */
interface Locked {
  deprecated?: string
  hasInstallScript?: boolean
  engines?: { node?: string }
}

const lock = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
) as {
  packages: Record<string, Locked>
}
const packages = Object.entries(lock.packages).map(([path, locked]) => ({
  name: path.replace(/^.*node_modules\//, ''),
  ...locked,
}))
const namesOf = (found: typeof packages) => found.map(({ name }) => name)

test('no package is deprecated', () => {
  expect(packages.length).toBeGreaterThan(100)
  expect(namesOf(packages.filter(({ deprecated }) => deprecated !== undefined))).toEqual([])
})

test('each install script is allowed or refused by name', () => {
  const withScript = packages.filter(({ hasInstallScript }) => hasInstallScript === true)
  expect(Object.keys(project.allowScripts).toSorted()).toEqual(namesOf(withScript).toSorted())
})

test('npm lists no funding, audit or engine warnings', () => {
  const settings = readFileSync(join(import.meta.dirname, '../.npmrc'), 'utf8')
  for (const setting of ['loglevel=error', 'audit=false', 'fund=false'])
    expect(settings.split('\n')).toContain(setting)
})

test('the binaries of the bundler are installed on the Node versions that the advice knows', () => {
  const binaries = packages.filter(({ name }) => /^@rolldown\/binding-(?!wasm)/.test(name))
  expect(binaries.length).toBeGreaterThan(5)
  expect(new Set(binaries.map(({ engines }) => engines?.node))).toEqual(new Set([INSTALLING_NODE]))
})

test.for(['20.0.0', '20.18.3', '21.7.3', '22.11.0', '18.20.8'])(
  'a failed build names the versions to install where npm runs on Node %s',
  (version) => {
    const advice = adviceOnNode(`npm/10.0.0 node/v${version} linux x64 workspaces/false`)
    expect(advice).toContain(`npm on Node ${version} leaves out packages of the build. Install`)
  },
)

test.for(['20.19.0', '22.12.0', '23.0.0', '24.21.0', '26.10.0'])(
  'a failed build says nothing about Node where npm runs on Node %s',
  (version) => {
    expect(adviceOnNode(`npm/10.0.0 node/v${version} linux x64 workspaces/false`)).toBeUndefined()
  },
)
