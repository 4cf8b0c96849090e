// Shows the screen as it was last seen, before any of the app is here; the app then takes its place.
// What it shows is kept by `src/app/first-picture.ts`. It is shown to the user whose it is, in the
// organisation that it is of, at its address, under the same styles and as wide as it was.
;(function () {
  try {
    var read = function (key) {
      return JSON.parse(localStorage.getItem(key))
    }
    var picture = read('first_picture')
    var isSignedIn = localStorage.getItem('access_token') && localStorage.getItem('refresh_token')
    if (
      !picture ||
      !isSignedIn ||
      picture.user !== read('user').id ||
      picture.organisation !== read('active_organisation').id ||
      picture.path !== location.pathname ||
      (location.search !== '' && !/^\?source=\w+$/.test(location.search)) ||
      picture.width !== innerWidth ||
      !document.querySelector('link[href="' + picture.styles + '"]')
    )
      return
    var screen = document.createElement('div')
    screen.innerHTML = picture.html
    // The security policy allows no styles in markup.
    screen.querySelectorAll('[data-style]').forEach(function (element) {
      element.style.cssText = element.dataset.style
    })
    // What is typed into a picture would be lost, and its links would load the page anew.
    screen.inert = true
    document.title = picture.title
    document.getElementById('root').append(screen)
  } catch {
    // No storage, or nothing to be made of it: the app shows itself a moment later.
  }
})()
