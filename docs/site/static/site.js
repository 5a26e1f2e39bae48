// A picture that the page makes small opens by itself, in its own size.
document.addEventListener("click", function (event) {
  if (event.target.matches('.content img[src*="_images"]')) {
    window.location.href = event.target.src;
  }
});
