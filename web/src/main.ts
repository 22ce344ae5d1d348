import "./shell/style.css";
import "./evaluation/style.css";
import { evaluation } from "./evaluation/report";
import { patterns } from "./patterns/report";
import { run } from "./shell/app";

run([evaluation, patterns]);
