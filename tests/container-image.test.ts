// The release, and with it the image, contains the packages that the server needs. That the release starts is
// tested in server/process/release-archive.test.ts.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import project from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Run from the sources only, never in the image. */
const AT_HOME = ['server/dev.ts', 'server/ops/build.ts']

test('every package that the server imports is a dependency, and every dependency is imported', () => {
  const files = globSync('{server,contract}/**/*.ts', { cwd: root })
  const packages = files
    .filter((file) => !AT_HOME.includes(file))
    .flatMap((file) => [
      ...read(file).matchAll(
        /(?:(?<!\.)\bfrom|\bimport)\s*\(?\s*'((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g,
      ),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:'))
  expect([...new Set(packages)].toSorted()).toEqual(Object.keys(project.dependencies).toSorted())
})

test('the image is made from the release, and every path that it copies exists', () => {
  expect(read('Dockerfile')).toContain('RUN npm run release ')
  const copied = read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)
  const sources = [...copied].flatMap(([, names = '']) => names.split(' '))
  expect(sources.length).toBeGreaterThan(3)
  expect(sources.filter((name) => !existsSync(join(root, name)))).toEqual([])
})

test('a new volume of the image is readable by the user of the server alone', () => {
  expect(read('Dockerfile')).toMatch(/^RUN install -d -m 700 -o node -g node \/data$/m)
  expect(read('Dockerfile')).toMatch(/^USER node\nVOLUME \/data$/m)
})

test('with compose, a setting of this machine in .env does not move the server within its container', () => {
  const [, fixed = ''] = /^ENV (.+)$/m.exec(read('Dockerfile')) ?? []
  const compose = read('docker-compose.yml')
  for (const name of ['HOST', 'PORT', 'DATA_DIR']) {
    const [, value = ''] = new RegExp(`\\b${name}=(\\S+)`).exec(fixed) ?? []
    expect(compose).toContain(`\n      ${name}: ${value}\n`)
  }
  expect(compose).toContain('127.0.0.1:${PORT:-8080}:8080')
})
