// How a build treats the icons of lucide: it loads each from its own file, and leaves out what `icon.ts` does not need.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

const LUCIDE = 'node_modules/lucide-react/dist/esm/'
let icons: Map<string, string> | undefined

/** The file of each icon of lucide, by the names under which the package exports it. */
function iconFiles(): Map<string, string> {
  const index = readFileSync(join(LUCIDE, 'lucide-react.mjs'), 'utf8')
  const names = new Map<string, string>()
  for (const [, list = '', file = ''] of index.matchAll(
    /export \{([^}]+)\} from '\.\/(icons\/[\w-]+\.mjs)'/g,
  ))
    for (const [, name = ''] of list.matchAll(/default as (\w+)/g))
      names.set(name, resolve(LUCIDE, file))
  return names
}

/** A shape of an icon that is a path and nothing more, with its key, which has been left out before. */
const PATH = /\[\s*"path",\s*\{\s*d: "([^"]+)"\s*\}\s*\],?/g
/** The first command of a path, with its point and what follows: another point means a line to it. */
const START = /^m\s*([-+]?(?:\d+\.?\d*|\.\d+))[\s,]*([-+]?(?:\d+\.?\d*|\.\d+))\s*(?=([-+.\d])?)/

/** A path that can follow another one: its first point is absolute, which a first `m` is only at the very beginning. */
const following = (path: string): string =>
  path.replace(START, (_, x: string, y: string, more?: string) => `M${x} ${y}${more ? 'l' : ''}`)

/** The code of an icon with all its paths as one: a browser has fewer elements to create and to style. */
export function joinPaths(code: string): string {
  const paths = [...code.matchAll(PATH)].map(([, path = '']) => following(path))
  let isFirst = true
  return code.replace(PATH, () => {
    const joined = isFirst ? `["path", { d: "${paths.join('')}" }],` : ''
    isFirst = false
    return joined
  })
}

export const ICONS: Plugin[] = [
  {
    // Icons one by one: what a screen imports from the index of all is not known per screen.
    name: 'icons-by-file',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.tsx?$/, code: "from 'lucide-react'" },
      handler(code) {
        const files = (icons ??= iconFiles())
        return code.replace(/import \{([^}]+)\} from 'lucide-react'/g, (_, list: string) =>
          list
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one && !one.startsWith('type '))
            .map((one) => {
              const [name = '', local = name] = one.split(' as ')
              return `import ${local} from ${JSON.stringify(files.get(name))}`
            })
            .join('; '),
        )
      },
    },
  },
  {
    // What our `icon.ts` does not need: keys of shapes, which do not compress, sizes and other names.
    name: 'icons-without-keys',
    apply: 'build',
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
      handler: (code) =>
        joinPaths(
          code.replace(
            /,\s+key: "\w+"|\s+size: 24,|,\s+aliases: \[[^\]]*\]|\s__iconData\.node;/g,
            '',
          ),
        ),
    },
  },
]
