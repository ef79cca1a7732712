const button = document.getElementById("page-continue");
blocked(["form-action"], () => { button.hidden = false; tell("failed", "blocked"); leave("failed", "blocked"); });
if (document.readyState === "complete") { send(); } else { window.addEventListener("load", send); }
