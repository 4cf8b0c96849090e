// An installation that warns: of deprecated packages, or of install scripts that nobody has reviewed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import project from '../package.json' with { type: 'json' }

/** An entry of the lock file, as npm writes it. */
interface Locked {
  deprecated?: string
  hasInstallScript?: boolean
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
