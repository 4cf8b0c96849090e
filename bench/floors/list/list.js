// The floor of an offline start: the plans from IndexedDB to the screen, with nothing between.
const ROW = 121
const SHOWN = 20
const PAGES = 64

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

function open() {
  const request = indexedDB.open('floor', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('pages')
  return done(request)
}

async function bring(database) {
  const plans = await (await fetch('/plans.json')).json()
  const transaction = database.transaction('pages', 'readwrite')
  for (let page = 0; page < PAGES; page += 1)
    transaction.objectStore('pages').put(
      plans.filter((_, index) => index % PAGES === page),
      page,
    )
  await new Promise((resolve) => {
    transaction.oncomplete = resolve
  })
  await navigator.serviceWorker.register('/worker.js')
  await navigator.serviceWorker.ready
}

const line = (text) => {
  const span = document.createElement('span')
  span.textContent = text
  return span
}

function row(plan) {
  const link = document.createElement('a')
  link.href = `/success-plans/${plan.id}`
  link.dataset.plan = plan.id
  const facts = [plan.title, plan.account, plan.health, plan.status, plan.end_date]
  link.append(...facts.map(line), line(`${plan.progress} %`))
  const item = document.createElement('li')
  item.append(link)
  return item
}

const read = (database) => done(database.transaction('pages').objectStore('pages').getAll())

async function start() {
  const database = await open()
  let pages = await read(database)
  if (pages.length === 0) {
    await bring(database)
    pages = await read(database)
  }
  const plans = pages.flat().toSorted((a, b) => (a.end_date < b.end_date ? -1 : 1))
  const list = document.querySelector('ul')
  list.style.height = `${plans.length * ROW}px`
  list.append(...plans.slice(0, SHOWN).map(row))
}

void start()
